import * as z from 'zod';
import { forkProgram, nextMessage } from '../support/child-process.ts';

interface CommandLoad {
  /** Which get the commands in turn. */
  apps: readonly {
    url: string;
    /** Default: that of a bot by itself. */
    path?: string;
    /** The signing secret. Default: that of the test bed. */
    secret?: string | undefined;
    /** Whether it answers the commands at their response URL. */
    answers: boolean;
  }[];
  /** For each app, besides those that warm it up. */
  bursts: number;
  /** The commands of a burst. */
  atOnce: number;
}

const timesSchema = z.object({ acknowledgedMs: z.array(z.number()), answeredMs: z.array(z.number()) });

/** How long each command took, in milliseconds; answers of an app that does not answer took 0. */
type CommandTimes = z.infer<typeof timesSchema>;

/** Types `/quiz list` in a process of its own. @returns the times of each app */
export async function sendCommands(load: CommandLoad): Promise<CommandTimes[]> {
  const program = forkProgram('test/bench/command-load.ts', JSON.stringify(load));
  return z.array(timesSchema).parse(await nextMessage(program));
}
