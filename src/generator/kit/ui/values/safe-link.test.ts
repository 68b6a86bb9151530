import { expect, test } from "vitest";
import { safeAddress, safePicture } from "./safe-link.tsx";

test("only addresses of the web become links, whatever the data says", () => {
  const texts = ["https://a.example/x", "javascript:alert(1)", "data:text/html,x", "not a url"];
  expect(texts.map(safeAddress)).toEqual(["https://a.example/x", undefined, undefined, undefined]);
});

test("a picture may also stand in the data itself", () => {
  const texts = ["data:image/png;base64,AA", "data:text/html,x"];
  expect(texts.map(safePicture)).toEqual(["data:image/png;base64,AA", undefined]);
});
