import { each, type Program, why } from "./command-line-program.ts";
import { opacityOfSed } from "./command-line-sed.ts";

/** What is there already is kept under a name that nobody has seen: `-S .json` makes `a` into `a.json`. */
const backups = ["-b", "--backup", "-S", "--suffix"];

/** The second one is written to. */
const hasTwoOperands = (words: readonly string[]) =>
  words.filter((word) => !word.startsWith("-")).length > 2 ? why.files : undefined;

/** Programs that can write files. */
export const writers: [string, Program][] = [
  ...each(
    "tar bsdtar cpio zip unzip 7z 7za rsync scp patch install wget aria2c split csplit gpg openssl pax ar rename prename file-rename mmv",
    {
      always: why.files,
    },
  ),
  ...each("cp", { opaqueOptions: ["-r", "-R", "-a", "--recursive", "--archive", ...backups] }),
  ...each("mv ln", { opaqueOptions: backups }),
  ...each("sort", {
    opaqueOptions: ["-o", "--output", "--compress-program", "-T", "--temporary-directory", "--files0-from"],
  }),
  ...each("uniq", { check: hasTwoOperands }),
  ...each("shuf iconv", { opaqueOptions: ["-o", "--output"] }),
  ...each("sed gsed", { check: opacityOfSed }),
  ...each("curl", {
    opaqueOptions:
      `-o -O -K -D -c -J -T --output --output-dir --remote-name --remote-name-all --config --dump-header --trace
      --trace-ascii --cookie-jar --stderr --libcurl --hsts --alt-svc --ssl-sessions --variable --etag-save --upload-file --proxy --preproxy --unix-socket`.split(
        /\s+/,
      ),
    check: (words) => (words.some((word) => word.includes("%output{")) ? why.option : undefined),
  }),
  ...each("xxd", { opaqueOptions: ["-r"], check: hasTwoOperands }),
  ...each("base64", { opaqueOptions: ["-o", "--output"] }),
  ...each("file", { opaqueOptions: ["-C", "--compile", "-m", "--magic-file", "-z", "--uncompress"] }),
  ...each("date", { opaqueOptions: ["-s", "--set"] }),
  ...each("tree", { opaqueOptions: ["-o", "-l", "-R"] }),
  ...each("yq", { opaqueOptions: ["-i", "--inplace"] }),
];
