/** How long a request that expired, or that a crash left unfinished, may go unnoticed. */
export const sweepEveryMs = 30_000;

const mebibyte = 1024 * 1024;
export const bodyLimits = { eachBytes: mebibyte, allBytes: 32 * mebibyte, uncountedBytes: 32 * 1024 };

/** Time limits in milliseconds. Tests shorten them. */
export const standardTimeouts = {
  /** How long a stop may take, `leave` included. */
  stop: 9_000,
  /** How long a bot that stops still serves, so that load balancers notice: deploy/haproxy.cfg checks twice, a second apart. */
  leave: 3_000,
  /** How long a delivery waits until the bot's workspace is named, right after a start. People see an error after 3 s. */
  guard: 1_000,
  /** How long an answer waits until the language of its reader is known. */
  language: 1_000,
  readiness: 2_000,
  quizService: 10_000,
};
