import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { lockDataDir } from '../../src/storage/sqlite/data-dir-lock.ts';

// A process that takes the folder it is told, says so, and keeps it until it is killed, whatever is collected as garbage.
lockDataDir(process.argv[2]!);
setFlagsFromString('--expose-gc');
(runInNewContext('gc') as () => void)();
process.stdout.write('held\n');
process.stdin.resume();
