# Compiles one file of kernels with nvcc, and writes nvcc's report on registers to a .ptxas file. See cuda-kernels.cmake.
string(REPLACE ".fatbin" ".ptxas" REPORT ${FATBIN})
execute_process(
  COMMAND ${NVCC} -std=c++17 -O3 -I${INCLUDE} -ccbin ${HOST_COMPILER} -fatbin ${TARGETS} -Xfatbin -compress-all
          -Xptxas -v -o ${FATBIN}.part ${SOURCE}
  RESULT_VARIABLE FAILS
  OUTPUT_VARIABLE SAYS
  ERROR_VARIABLE SAYS)
if(FAILS)
  message("${SAYS}")
  message(FATAL_ERROR "nvcc does not compile ${SOURCE}")
endif()
file(WRITE ${REPORT} "${SAYS}")
file(RENAME ${FATBIN}.part ${FATBIN})
