import { type DragEvent, useState } from "react";
import { formatBytes } from "../../api/format.ts";
import { Icon } from "../icon.tsx";
import { type InputProps, useInputAttributes } from "./field-input.tsx";

/** A file by choosing or dropping it. */
export function FileInput(props: InputProps) {
  const { field, value, onChange } = props;
  const attributes = useInputAttributes(props);
  const [isOver, setOver] = useState(false);
  const file = value instanceof File ? value : undefined;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped) onChange(dropped);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut of the input in it
    <div
      className="drop-zone"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        {...attributes}
        type="file"
        className="drop-input"
        accept={field.accept}
        onChange={(event) => onChange(event.target.files?.[0])}
      />
      <Icon name={file ? "file" : "upload"} size={20} />
      {file ? (
        <span>
          <strong>{file.name}</strong> · {formatBytes(file.size)}
        </span>
      ) : (
        <span>Drop a file here, or choose one</span>
      )}
    </div>
  );
}
