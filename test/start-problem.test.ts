import { expect, test } from 'vitest';
import { startProblem } from '../src/configuration/start-problem.ts';

const config = { http: { port: 80, host: '0.0.0.0' }, dataDir: '/srv/bot' };

test.each([
  ['EACCES', 'listen', /^the bot’s user may not listen on PORT 80 \(EACCES\): set PORT to one above 1023$/],
  ['EROFS', 'mkdir', /^DATA_DIR \/srv\/bot is on a disk that can only be read \(EROFS\): set DATA_DIR/],
  ['ENOSPC', 'write', /^the disk of DATA_DIR \/srv\/bot is full \(ENOSPC\): make room/],
])('%s of %s is a sentence that says what to do', (code, syscall, said) => {
  expect(startProblem(Object.assign(new Error('raw'), { code, syscall }), config)).toMatch(said);
});

test('what the error itself says best stays', () => {
  expect(startProblem(new Error('DATA_DIR is in use'), config)).toBeUndefined();
  expect(startProblem(Object.assign(new Error('raw'), { code: 'EACCES', syscall: 'open' }), config)).toBeUndefined();
});
