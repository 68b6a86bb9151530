export function build(outdir: string): Promise<void>;
