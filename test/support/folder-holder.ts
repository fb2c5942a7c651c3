import { lockDataDir } from '../../src/storage/sqlite/folder.ts';
import { collectGarbage } from './measurements.ts';

// Locks the data directory in the first argument and holds the lock until it is killed. The garbage collection must not release it.
lockDataDir(process.argv[2]!);
collectGarbage();
process.stdout.write('held\n');
process.stdin.resume();
