/** Set-up of the test project `postgres`: every gym uses the PostgreSQL server of the run. */
import { sharedServer } from "./databases.js";

process.env.TEST_POSTGRES = await sharedServer();
