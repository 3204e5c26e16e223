/** Account of the shop's administrator, as in WebArena. */
export const administrator = { username: "admin", password: "admin1234" };
