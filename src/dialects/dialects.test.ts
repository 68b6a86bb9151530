import { dialectContract } from "./contract.ts";
import { dialects } from "./index.ts";

for (const dialect of dialects) dialectContract(dialect);
