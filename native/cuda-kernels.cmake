# NVCC compiles each file of KERNEL_SOURCES to kernels/NAME.fatbin: code for sm_80 and sm_90a, and PTX for later devices.
# NAME-hopper.cu is compiled for sm_90a only. NAME.ptxas beside it has the registers and shared memory of each kernel, and
# cuda-version names the CUDA that the kernels need.
set(NVCC "" CACHE FILEPATH "NVIDIA's compiler; without it the kernels are not built")

add_custom_target(cuda-kernels)
if(NOT NVCC)
  message(STATUS "The kernels for CUDA are not built: no nvcc")
  return()
endif()

execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE NVCC_SAYS RESULT_VARIABLE NVCC_FAILS)
if(NVCC_FAILS OR NOT NVCC_SAYS MATCHES "release ([0-9]+\\.[0-9]+)")
  message(STATUS "The kernels for CUDA are not built: expected ${NVCC} to name its release, but received: ${NVCC_SAYS}")
  return()
endif()
file(WRITE ${CMAKE_BINARY_DIR}/kernels/cuda-version "${CMAKE_MATCH_1}\n")

# PTX and code for sm_80 in one pass of the front end.
set(SM_80 "-gencode=arch=compute_80,code=[sm_80,compute_80]")
set(SM_90A "-gencode=arch=compute_90a,code=sm_90a")
file(GLOB_RECURSE KERNEL_HEADERS CONFIGURE_DEPENDS ops/cuda/kernels/*.h core/*.h)
foreach(SOURCE ${KERNEL_SOURCES})
  get_filename_component(NAME ${SOURCE} NAME_WE)
  if(NAME MATCHES "-hopper$")
    set(TARGETS ${SM_90A})
  else()
    set(TARGETS ${SM_80} ${SM_90A})
  endif()
  set(FATBIN ${CMAKE_BINARY_DIR}/kernels/${NAME}.fatbin)
  add_custom_command(
    OUTPUT ${FATBIN}
    COMMAND ${CMAKE_COMMAND} -DNVCC=${NVCC} -DFATBIN=${FATBIN} -DSOURCE=${SOURCE} "-DTARGETS=${TARGETS}"
            -DINCLUDE=${CMAKE_SOURCE_DIR} -DHOST_COMPILER=${CMAKE_CXX_COMPILER}
            -P ${CMAKE_SOURCE_DIR}/compile-kernels.cmake
    DEPENDS ${SOURCE} ${KERNEL_HEADERS} ${CMAKE_SOURCE_DIR}/compile-kernels.cmake
    COMMENT "Compiling ${NAME}.cu for CUDA"
    VERBATIM)
  list(APPEND FATBINS ${FATBIN})
endforeach()
# Every file in the folder is loaded, so files of deleted sources must be removed.
file(GLOB PRESENT ${CMAKE_BINARY_DIR}/kernels/*.fatbin)
list(REMOVE_ITEM PRESENT "" ${FATBINS})
if(PRESENT)
  file(REMOVE ${PRESENT})
endif()
add_custom_target(cuda-fatbins DEPENDS ${FATBINS})
add_dependencies(cuda-kernels cuda-fatbins)
