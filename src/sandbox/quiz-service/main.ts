import { ConfigError, readConfig } from './config.ts';
import { startQuizService } from './service.ts';

process.umask(0o077);

const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const config = readConfig();
  const service = await startQuizService({ ...config, log: (line) => process.stderr.write(`${line}\n`) });
  const stop = () => void service.close().then(() => process.exit(0));
  process.once('SIGTERM', stop).once('SIGINT', stop);

  print(`Quiz service: ${service.url}`);
  if (config.rough !== undefined)
    print(`Rough account: dates are in ${service.timeZone}, and webhooks are signed with ${service.webhookScheme}.`);
  if (config.apiKey === undefined && service.apiKey !== '') print(`API key: ${service.apiKey}`);
  if (!service.isNew && config.sample !== 'account') {
    print('The account was there already: --users and --responses only fill a new one.');
  }
} catch (error) {
  const faults = error instanceof ConfigError ? error.faults : [error instanceof Error ? error.message : String(error)];
  for (const fault of faults) process.stderr.write(`quiz-service: ${fault}\n`);
  process.exitCode = 1;
}
