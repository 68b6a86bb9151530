import { useEffect, useState } from "react";
import { type FileResult, isFileResult } from "../api/backend.ts";
import { formatBytes } from "../api/format.ts";
import type { Action, Json } from "../descriptor.ts";
import { Icon } from "./icon.tsx";
import { JsonView } from "./values/json-view.tsx";
import { LargeValue } from "./values/record-fields.tsx";

/** What an action answered: a file to save, or a value shown by what is known of it. */
export function ActionResult({ action, result }: { action: Action; result: Json | FileResult }) {
  if (isFileResult(result)) return <FileLink file={result} />;
  const field = action.result;
  if (!field || field.kind === "json") return <JsonView value={result} label="Answer" open />;
  return (
    <>
      <LargeValue field={field} value={result} />
      {typeof result === "object" && <JsonView value={result} label="As JSON" />}
    </>
  );
}

function FileLink({ file }: { file: FileResult }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file.content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (!address) return null;
  return (
    <div className="file-result">
      {file.mediaType.startsWith("image/") && (
        <img className="file-preview" src={address} alt={file.name} />
      )}
      <a className="button button-plain" href={address} download={file.name}>
        <Icon name="download" />
        <span>
          Save {file.name} ({formatBytes(file.content.size)})
        </span>
      </a>
    </div>
  );
}
