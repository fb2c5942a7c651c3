/** Calls `callback` once after a time. @returns what cancels the call */
export type SetTimer = (callback: () => void, afterMs: number) => () => void;

export const nodeTimer: SetTimer = (callback, afterMs) => {
  const timer = setTimeout(callback, afterMs);
  return () => clearTimeout(timer);
};
