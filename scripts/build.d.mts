export function build(outdir: string): Promise<void>;
/** Writes the declarations of the client libraries into a folder. */
export function declare(outdir: string): Promise<void>;
/** Bundles programs on our own parts, with the store's writer thread beside them. */
export function bundle(entryPoints: Record<string, string>, outdir: string): Promise<void>;
