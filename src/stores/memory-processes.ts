import type { ProcessRecord, ProcessRecords } from "../core/process-records.ts";

export function memoryProcesses(checkOpen: () => void): ProcessRecords {
  const records = new Map<string, ProcessRecord>();

  return {
    async add(record) {
      checkOpen();
      records.set(record.mark, { ...record });
    },

    async started(mark, pid, startedAt) {
      checkOpen();
      const record = records.get(mark);
      if (record) records.set(mark, { ...record, pid, startedAt });
    },

    async remove(mark) {
      checkOpen();
      return records.delete(mark);
    },

    async list({ sessionId, node } = {}) {
      checkOpen();
      return [...records.values()]
        .filter((record) => sessionId === undefined || record.sessionId === sessionId)
        .filter((record) => node === undefined || record.node === node)
        .map((record) => ({ ...record }));
    },
  };
}
