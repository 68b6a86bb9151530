/** Makes a message about 300 bytes long. */
export const TITLE = "Looking for the places where the parser is called, in 17 files of 3 folders";

const id = "6f1f7a44-3c1b-4a43-9a35-5e0f8e5ad3c1";

/** What our server sends for such an event, for those who send something like it. */
export const message = {
  id,
  operation_id: id,
  sequence: 12345,
  type: "execution",
  content: TITLE,
  timestamp: "2026-01-02T03:04:05.678Z",
  sender: "copilot",
};
