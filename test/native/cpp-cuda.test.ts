/** Runs the C++ tests of the CUDA kernels and the CUDA engine, on an emulated device, and reports each case as a test. */
import { reportCases } from "./gtest.js";

await reportCases("cuda-tests");
