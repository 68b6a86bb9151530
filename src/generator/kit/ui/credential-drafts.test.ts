import { expect, test } from "vitest";
import type { AuthScheme } from "../descriptor.ts";
import { credentialsOf, signInToken } from "./credential-drafts.ts";

const basic: AuthScheme = { id: "basic", label: "Basic", kind: "basic" };
const bearer: AuthScheme = { id: "bearer", label: "Bearer", kind: "bearer" };
const key: AuthScheme = { id: "key", label: "Key", kind: "apiKey", in: "header", name: "X-Key" };

test("only what was entered becomes a credential", () => {
  const drafts = {
    key: { token: " secret " },
    basic: { username: "ada", password: "" },
    bearer: { token: "  " },
  };
  expect(credentialsOf(drafts)).toEqual({
    key: { token: "secret" },
    basic: { username: "ada", password: "" },
  });
});

test("the token of a sign-in goes to the scheme that takes tokens", () => {
  expect(signInToken([basic, key, bearer], { access_token: "t0k3n" })).toEqual({
    scheme: "bearer",
    token: "t0k3n",
  });
  expect(signInToken([key], { data: { token: "t0k3n" } })).toEqual({
    scheme: "key",
    token: "t0k3n",
  });
});

test("an answer without a token, or a plain sentence, is no token", () => {
  expect(signInToken([bearer], "logged in user session:1")).toBeUndefined();
  expect(signInToken([bearer], { message: "welcome" })).toBeUndefined();
  expect(signInToken([basic], { token: "t0k3n" })).toBeUndefined();
});
