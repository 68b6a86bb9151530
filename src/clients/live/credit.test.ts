import { expect, test } from "vitest";
import { message } from "../../dialects/live/messages.ts";
import { priorityOf } from "../../dialects/live/priority.ts";
import { costsCredit } from "./credit.ts";

test("what costs credit here is what costs it at the server", () => {
  const types = message.options.map(({ shape }) => shape.type.value);
  const ours = types.filter((type) => costsCredit(type));
  expect(ours).toEqual(types.filter((type) => priorityOf({ type }) > 1));
  expect(ours).toContain("content_block_delta");
});
