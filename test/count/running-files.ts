import { Session, type Profiler } from 'node:inspector';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Counts the calls of functions in this process. */
export interface CallCounter {
  /** The source files of the bot in which a function was called since the last call of `take`, relative to the project. */
  take(): string[];
  stop(): void;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Starts V8’s exact count of calls, which slows the process down. */
export function startCounting(): CallCounter {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    take() {
      let scripts: Profiler.ScriptCoverage[] = [];
      // The session is in the same thread, which calls back at once. Each taking resets the counts.
      session.post('Profiler.takePreciseCoverage', (error, answer) => {
        if (error) throw error;
        scripts = answer.result;
      });
      return scripts
        .filter(({ functions }) => functions.some(isCalled))
        .map(({ url }) => botPathOf(url))
        .filter((path) => path !== undefined)
        .toSorted();
    },
    stop: () => session.disconnect(),
  };
}

/** Whether a function was called. The one that starts at 0 is the top level of the module, which runs when it is loaded. */
function isCalled({ ranges: [whole] }: Profiler.FunctionCoverage): boolean {
  return whole !== undefined && whole.startOffset > 0 && whole.count > 0;
}

function botPathOf(url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const path = relative(root, fileURLToPath(url)).replaceAll(sep, '/');
  return path.startsWith('src/') && !path.startsWith('src/sandbox/') ? path : undefined;
}
