import { nameFrom, type TextSource } from "./mock-source.ts";
import { wordList } from "./mock-words.ts";

export interface MockFile {
  name: string;
  extension: string;
  mediaType: string;
}

const fileNames = wordList(`
  annual-report.pdf, team-photo.jpg, price-list.csv, floor-plan.png, meeting-notes.docx,
  invoice-2026-05.pdf, contract.pdf, budget.xlsx, logo.svg, backup.zip, readme.txt, settings.json,
  welcome.mp4, interview.mp3
`);

const mediaTypes: Record<string, string> = {
  pdf: "application/pdf",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  csv: "text/csv",
  txt: "text/plain",
  json: "application/json",
  zip: "application/zip",
  mp4: "video/mp4",
  mp3: "audio/mpeg",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Everything that an object says about one file fits together. */
export function mockFile(source: TextSource): MockFile {
  const name = nameFrom(fileNames, source, "file");
  const extension = name.slice(name.lastIndexOf(".") + 1);
  return { name, extension, mediaType: mediaTypes[extension] ?? "application/octet-stream" };
}
