! SPDX-License-Identifier: Apache-2.0
! Parseval's C interface for Fortran, as far as a transform needs it; other calls are declared in the same way. Opaque
! objects are type(c_ptr), optional arguments that are left out c_null_ptr.
module parseval
  use, intrinsic :: iso_c_binding
  implicit none

  enum, bind(c)
    enumerator :: PV_OK = 0
  end enum
  enum, bind(c)
    enumerator :: PV_C2C, PV_R2C
  end enum
  enum, bind(c)
    enumerator :: PV_FP64, PV_FP32
  end enum

  ! Points lower <= i < upper, counted from 0.
  type, bind(c) :: pv_box
    integer(c_int64_t) :: lower(3), upper(3)
  end type

  type, bind(c) :: pv_layout
    integer(c_int) :: ranks
    integer(c_int64_t) :: shape(3)
    type(c_ptr) :: boxes ! pv_box (ranks)
    integer(c_int) :: order(3)
  end type

  interface
    integer(c_int) function pv_device_open(name, device) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: device
    end function
    subroutine pv_device_close(device) bind(c)
      import
      type(c_ptr), value :: device
    end subroutine
    ! mpi_comm: as `use mpi` has it; with `use mpi_f08` its component MPI_VAL.
    integer(c_int) function pv_comm_open_mpi_fortran(mpi_comm, device, options, comm) bind(c)
      import
      integer(c_int), value :: mpi_comm
      type(c_ptr), value :: device, options
      type(c_ptr), intent(out) :: comm
    end function
    subroutine pv_comm_close(comm) bind(c)
      import
      type(c_ptr), value :: comm
    end subroutine
    integer(c_int) function pv_fft_plan_create(comm, shape, type, precision, options, plan) bind(c)
      import
      type(c_ptr), value :: comm, options
      integer(c_int64_t), intent(in) :: shape(3)
      integer(c_int), value :: type, precision
      type(c_ptr), intent(out) :: plan
    end function
    subroutine pv_fft_plan_destroy(plan) bind(c)
      import
      type(c_ptr), value :: plan
    end subroutine
    type(c_ptr) function pv_fft_plan_space(plan) bind(c)
      import
      type(c_ptr), value :: plan
    end function
    type(c_ptr) function pv_fft_plan_spectrum(plan) bind(c)
      import
      type(c_ptr), value :: plan
    end function
    integer(c_int) function pv_fft_forward(plan, in, out) bind(c)
      import
      type(c_ptr), value :: plan
      complex(c_double_complex), intent(in) :: in(*)
      complex(c_double_complex), intent(out) :: out(*)
    end function
    integer(c_int) function pv_fft_inverse(plan, in, out) bind(c)
      import
      type(c_ptr), value :: plan
      complex(c_double_complex), intent(in) :: in(*)
      complex(c_double_complex), intent(out) :: out(*)
    end function
    type(c_ptr) function pv_last_error() bind(c)
      import
    end function
  end interface

contains

  ! The box of a rank in Fortran's order of directions: lower(1) is of the fastest one.
  function box_of(layout_p, rank) result(box)
    type(c_ptr), intent(in) :: layout_p
    integer, intent(in) :: rank
    type(pv_box) :: box
    type(pv_layout), pointer :: layout
    type(pv_box), pointer :: boxes(:)
    call c_f_pointer(layout_p, layout)
    call c_f_pointer(layout%boxes, boxes, [layout%ranks])
    box%lower = boxes(rank + 1)%lower(3:1:-1)
    box%upper = boxes(rank + 1)%upper(3:1:-1)
  end function

end module
