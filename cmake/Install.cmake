# SPDX-License-Identifier: Apache-2.0
# libparseval: the layers base to fft as one library, shared and static, with headers, pkg-config file and CMake package.
include(CMakePackageConfigHelpers)

set(library_objects)
foreach(layer base device comm fft)
  get_target_property(type pv_${layer} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(APPEND library_objects $<TARGET_OBJECTS:pv_${layer}>)
  endif()
endforeach()
set(library_vendors OpenMP::OpenMP_C PkgConfig::FFTW3 PkgConfig::FFTW3F ${PV_CUFFT_LIBRARIES} ${PV_CUDA_LIBRARIES}
  ${PV_NCCL_LIBRARIES} m)

# The shared library shows what the public headers declare and nothing else.
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/parseval/*.h)
list(FILTER public_headers EXCLUDE REGEX "/d(ft|ns)\\.h$") # of the program: the library ends with fft
set(exports "")
foreach(header ${public_headers})
  file(STRINGS ${header} lines REGEX "pv_[a-z0-9_]+\\(")
  string(REGEX MATCHALL "pv_[a-z0-9_]+\\(" names "${lines}")
  foreach(name ${names})
    string(REPLACE "(" ";\n" name ${name})
    string(APPEND exports "    ${name}")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/parseval.map @ONLY
  CONTENT "PARSEVAL_${PROJECT_VERSION_MAJOR} {\nglobal:\n@exports@local: *;\n};\n")

function(pv_library target kind)
  add_library(${target} ${kind} ${library_objects})
  add_library(parseval::${target} ALIAS ${target})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME parseval LINKER_LANGUAGE C)
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC MPI::MPI_C PRIVATE ${library_vendors})
  if(PV_SANITIZE)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

pv_library(parseval SHARED)
pv_library(parseval_static STATIC)
set_target_properties(parseval PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  LINK_DEPENDS ${PROJECT_BINARY_DIR}/parseval.map)
target_link_options(parseval PRIVATE -Wl,--version-script=${PROJECT_BINARY_DIR}/parseval.map -Wl,--no-undefined)

list(JOIN OpenMP_C_FLAGS " " PV_PC_OPENMP)
list(TRANSFORM MPI_C_LIBRARIES REPLACE "^(.+)$" "\\1" OUTPUT_VARIABLE mpi_libraries)
list(JOIN mpi_libraries " " PV_PC_MPI_LIBRARIES)
list(TRANSFORM MPI_C_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpi_includes)
list(JOIN mpi_includes " " PV_PC_MPI_CFLAGS)
# The package may be installed anywhere, and moved: pkg-config finds the prefix from where the file is.
set(PV_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(PV_PC_PREFIX "\${pcfiledir}/${up}")
endif()
configure_file(cmake/parseval.pc.in parseval.pc @ONLY)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/parseval)
configure_package_config_file(cmake/parseval-config.cmake.in parseval-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(parseval-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS parseval parseval_static EXPORT parseval-targets)
install(DIRECTORY include/parseval TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "dft.h" EXCLUDE PATTERN "dns.h" EXCLUDE)
install(EXPORT parseval-targets NAMESPACE parseval:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/parseval-config.cmake ${PROJECT_BINARY_DIR}/parseval-config-version.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/parseval.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET parseval_program)
  install(TARGETS parseval_program)
endif()
