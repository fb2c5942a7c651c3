import { Session } from 'node:inspector/promises';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { framesOf, profileSchema, readProfile, type Frame } from './cpu-profile.ts';

/** What a bot does while it is profiled. */
export interface WorkOfBot {
  store: 'sqlite' | 'redis';
  /** Is not in the profile: what V8 has not seen often, it has not compiled well. Default: the profile begins with the process. */
  warmUp?: (testBed: ProcessTestBed) => Promise<unknown>;
  run: (testBed: ProcessTestBed) => Promise<unknown>;
}

/** Node names them after the date, the time, the process and the thread: `CPU.20261127.101500.4711.0.001.cpuprofile`. */
const isOfMainThread = /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/;

/** Profiles a bot from its start, and takes what lies between the begin and the end of its work. */
export async function profileBot({ store, warmUp, run }: WorkOfBot): Promise<Frame> {
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-profile-'));
  try {
    const testBed = await openProcessTestBed({
      store,
      ...(store === 'redis' && { redisSync: 'everysec' }),
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    });
    let [from, to] = [0, 0];
    try {
      if (warmUp) {
        await warmUp(testBed);
        from = monotonicUs();
      }
      await run(testBed);
      to = monotonicUs();
    } finally {
      await testBed.close();
    }
    const file = readdirSync(folder).find((name) => isOfMainThread.test(name));
    if (file === undefined) throw new Error('the bot wrote no profile');
    return framesOf(readProfile(readFileSync(join(folder, file), 'utf8')), { from, to });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Profiles work in this process. */
export async function profileHere(work: () => unknown): Promise<Frame> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await work();
    const { profile } = await session.post('Profiler.stop');
    return framesOf(profileSchema.parse(profile), { from: 0, to: Infinity });
  } finally {
    session.disconnect();
  }
}

function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
