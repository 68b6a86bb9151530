/** Makes `src/generator/kit-sources.ts` from the files of the kit, if it is not what they are. */
export function embedKit(): Promise<void>;
