! SPDX-License-Identifier: Apache-2.0
! There and back from Fortran: a plane wave has one Fourier coefficient, of value n1 n2 n3.
!
! Parseval's last axis is the fastest in memory, Fortran's first: a shape is passed backwards, and nothing else changes.
!
!     mpif90 parseval.f90 roundtrip.f90 -o roundtrip $(pkg-config --libs parseval)
!     mpirun -n 2 ./roundtrip
program roundtrip
  use mpi
  use parseval
  implicit none
  integer(c_int64_t), parameter :: n(3) = [24, 20, 18], wave(3) = [2, 3, 17]
  real(c_double), parameter :: two_pi = 6.283185307179586d0, points = real(product(n), c_double)
  type(c_ptr) :: device, comm, plan
  type(pv_box) :: box, spectrum
  complex(c_double_complex), allocatable :: u(:, :, :), u_hat(:, :, :)
  integer(c_int64_t) :: i, j, k
  integer :: rank, error
  real(c_double) :: errors(2)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call check(pv_device_open("cpu" // c_null_char, device))
  call check(pv_comm_open_mpi_fortran(MPI_COMM_WORLD, device, c_null_ptr, comm))
  call check(pv_fft_plan_create(comm, n(3:1:-1), PV_C2C, PV_FP64, c_null_ptr, plan))

  ! This rank's parts; indices count from 0, as wave numbers do.
  box = box_of(pv_fft_plan_space(plan), rank)
  spectrum = box_of(pv_fft_plan_spectrum(plan), rank)
  allocate(u(box%lower(1):box%upper(1) - 1, box%lower(2):box%upper(2) - 1, box%lower(3):box%upper(3) - 1))
  allocate(u_hat(spectrum%lower(1):spectrum%upper(1) - 1, spectrum%lower(2):spectrum%upper(2) - 1, &
                 spectrum%lower(3):spectrum%upper(3) - 1))

  call for_each_point(fill=.true.)
  call check(pv_fft_forward(plan, u, u_hat))
  if (all(wave >= spectrum%lower .and. wave < spectrum%upper)) then
    u_hat(wave(1), wave(2), wave(3)) = u_hat(wave(1), wave(2), wave(3)) - points
    errors(1) = maxval(abs(u_hat)) / points
    u_hat(wave(1), wave(2), wave(3)) = u_hat(wave(1), wave(2), wave(3)) + points
  else
    errors(1) = maxval([0.0d0, maxval(abs(u_hat))]) / points
  end if
  call check(pv_fft_inverse(plan, u_hat, u))
  errors(2) = 0.0d0
  call for_each_point(fill=.false.)

  call MPI_Allreduce(MPI_IN_PLACE, errors, 2, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a, es8.1, a, es8.1)', "largest errors, relative: spectrum ", errors(1), ", round trip ", errors(2)
  call pv_fft_plan_destroy(plan)
  call pv_comm_close(comm)
  call pv_device_close(device)
  call MPI_Finalize(error)
  if (any(.not. errors < 1.0d-13)) error stop 1

contains

  ! The plane wave: written, or compared with.
  subroutine for_each_point(fill)
    logical, intent(in) :: fill
    complex(c_double_complex) :: exact
    do k = box%lower(3), box%upper(3) - 1
      do j = box%lower(2), box%upper(2) - 1
        do i = box%lower(1), box%upper(1) - 1
          exact = exp(cmplx(0.0d0, two_pi * sum(real(wave * [i, j, k], c_double) / n), c_double_complex))
          if (fill) u(i, j, k) = exact
          if (.not. fill) errors(2) = max(errors(2), abs(u(i, j, k) / points - exact))
        end do
      end do
    end do
  end subroutine

  subroutine check(status)
    integer(c_int), intent(in) :: status
    character(kind=c_char), pointer :: text(:)
    integer :: length
    if (status == PV_OK) return
    call c_f_pointer(pv_last_error(), text, [1024])
    length = findloc(text, c_null_char, 1) - 1
    print *, "parseval: ", text(:length)
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine

end program
