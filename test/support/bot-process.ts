import { runProgram, type ProgramRun } from './run-program.ts';

/** The bot as `npm start` runs it: its own process, told everything by its environment. */
export interface BotRun extends ProgramRun {
  /** Resolves with its address when it says it is up. */
  up: Promise<string>;
}

export function runBot(env: Record<string, string>): BotRun {
  const up = Promise.withResolvers<string>();
  const run = runProgram('src/main.ts', { HOST: '127.0.0.1', PORT: '0', ...env }, (stdout) => {
    const port = /"port":(\d+).*"msg":"the bot is up"/.exec(stdout)?.[1];
    if (port) up.resolve(`http://127.0.0.1:${port}`);
  });
  void run.exit.then((code) => up.reject(new Error(`the bot ended with ${code}: ${run.output().stderr}${run.output().stdout}`)));
  up.promise.catch(() => {});
  return { ...run, up: up.promise };
}
