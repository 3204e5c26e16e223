/** Makes the gyms of the tests of the project `postgres` use the PostgreSQL server of the run. */
import { sharedServer } from "./databases.js";

process.env.TEST_POSTGRES = await sharedServer();
