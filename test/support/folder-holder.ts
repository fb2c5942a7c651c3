import { lockDataDir } from '../../src/storage/sqlite/data-dir-lock.ts';
import { collectGarbage } from './collect-garbage.ts';

// A process that takes the folder it is told, says so, and keeps it until it is killed, whatever is collected as garbage.
lockDataDir(process.argv[2]!);
collectGarbage();
process.stdout.write('held\n');
process.stdin.resume();
