import { describe, expect, test } from "vitest";
import { toGymError } from "#palestra/server/app/plugins/error-replies.js";
import { checkError, openGym } from "../../../support/gym.js";

describe("an error that the caller did not cause", async () => {
  const gym = await openGym();
  gym.app.get("/faulty", () => JSON.parse("{"));

  test("is a fault of the gym, also if the gym's own code parsed invalid JSON", async () => {
    const response = await gym.app.inject("/faulty");
    expect(checkError(response.json(), response.statusCode).code).toBe("SERVER_FAULT");
  });

  test.each([new SyntaxError("Unexpected token"), new TypeError("x is undefined"), new Error("odd")])(
    "is also a fault of the gym on the socket: %s",
    (error) => {
      expect(toGymError(error)).toMatchObject({ code: "SERVER_FAULT", failureClass: "infrastructure" });
    },
  );
});

test("an error of the framework about a request is the caller's, and its message is cut", () => {
  const error = Object.assign(new Error("x".repeat(10_000)), { statusCode: 400 });
  const { code, message } = toGymError(error);
  expect(code).toBe("REQUEST_INVALID");
  expect(message.length).toBeLessThan(400);
});
