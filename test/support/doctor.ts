import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { diagnose } from '../../src/doctor.ts';
import { programEnv } from './child-process.ts';

interface DoctorRun {
  lines: string[];
  code: number | null;
}

/**
 * Runs `npm run doctor` in its own process, with `env` and `PATH` as its whole environment.
 *
 * @param sample for standard input; undefined: none is read
 * @param parameters further ones
 */
export async function runDoctor(
  env: Readonly<Record<string, string | undefined>>,
  sample?: string,
  parameters: readonly string[] = [],
): Promise<DoctorRun> {
  const child = spawn(process.execPath, ['src/doctor.ts', ...(sample === undefined ? [] : ['-']), ...parameters], {
    env: { ...programEnv, ...env },
  });
  child.stdin.end(sample ?? '');
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { lines: `${stdout}${stderr}`.trimEnd().split('\n'), code };
}

/** What `npm run doctor` says, in a twentieth of the time that its process takes. */
export async function askDoctor(
  env: Readonly<Record<string, string | undefined>>,
  { sample, ...asked }: { sample?: string | undefined; url?: string; tenant?: string } = {},
): Promise<DoctorRun> {
  const dispatcher = getGlobalDispatcher();
  try {
    const readSample = sample === undefined ? undefined : async () => sample;
    const { lines, faults } = await diagnose({ ...asked, env, readSample });
    return { lines, code: faults === 0 ? 0 : 1 };
  } finally {
    setGlobalDispatcher(dispatcher);
  }
}
