const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A process that only waits for what another one does has nothing of its own to keep it alive. */
export async function stayingAlive<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, LONGEST_TIMER_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
