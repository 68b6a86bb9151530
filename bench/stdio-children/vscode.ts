import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

// The answering side of vscode-jsonrpc, with the least there is to answer.

const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
connection.onRequest("ui.context.update", () => ({}));
connection.onClose(() => process.exit(0));
connection.listen();
