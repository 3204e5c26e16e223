/** Runs the C++ tests of the engine on the CPU, and reports each case as a test. */
import { reportCases } from "./gtest.js";

await reportCases("native-tests");
