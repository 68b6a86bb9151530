// The least that answers: what Node itself needs from its start to its first line.
process.stdin.once("data", (data) => {
  const { id } = JSON.parse(String(data));
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n`);
});
process.stdin.on("end", () => process.exit(0));
