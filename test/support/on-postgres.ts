/** Makes the gyms of the tests of the project `postgres` use its PostgreSQL server. */
import { inject } from "vitest";

process.env.TEST_POSTGRES = inject("postgres");
