/** Makes a notification of ours, and of every peer, about 200 bytes long. */
export const TITLE = "Looking for the places where the parser is called, in 17 files";
