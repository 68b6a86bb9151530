export function build(outdir: string): Promise<void>;
/** Writes the declarations of the client libraries into a folder. */
export function declare(outdir: string): Promise<void>;
