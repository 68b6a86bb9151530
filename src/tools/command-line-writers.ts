import { each, type Program, why } from "./command-line-program.ts";
import { opacityOfSed } from "./command-line-sed.ts";

/** Programs that can write files. */
export const writers: [string, Program][] = [
  ...each("tar bsdtar cpio zip unzip 7z 7za rsync scp patch install wget aria2c split csplit gpg openssl pax ar", {
    always: why.files,
  }),
  ...each("cp", { opaqueOptions: ["-r", "-R", "-a", "--recursive", "--archive"] }),
  ...each("sort", {
    opaqueOptions: ["-o", "--output", "--compress-program", "-T", "--temporary-directory", "--files0-from"],
  }),
  ...each("uniq", {
    check: (words) => (words.filter((word) => !word.startsWith("-")).length > 2 ? why.files : undefined),
  }),
  ...each("sed gsed", { check: opacityOfSed }),
  ...each("curl", {
    opaqueOptions:
      `-o -O -K -D -c -J -T --output --output-dir --remote-name --remote-name-all --config --dump-header --trace
      --trace-ascii --cookie-jar --stderr --libcurl --hsts --etag-save --upload-file --proxy --preproxy --unix-socket`.split(
        /\s+/,
      ),
  }),
  ...each("xxd base64", { opaqueOptions: ["-r", "--revert", "-o", "--output"] }),
  ...each("file", { opaqueOptions: ["-C", "--compile", "-m", "--magic-file", "-z", "--uncompress"] }),
  ...each("date", { opaqueOptions: ["-s", "--set"] }),
  ...each("tree", { opaqueOptions: ["-o"] }),
  ...each("yq", { opaqueOptions: ["-i", "--inplace"] }),
];
