import { networkRemedies, type CheckMeaning, type Finding } from '../domain/finding.ts';
import { say } from '../domain/said.ts';

export const serviceMeaning: CheckMeaning = {
  name: 'quizService',
  topic: 'Quiz service',
  well: 'the quiz service answers',
  gauge: {
    name: 'invigilator_quiz_service_up',
    help: 'Whether the quiz service answered the last call of this instance: 1, or 0',
  },
  unclear: {
    effect: 'unknown',
    problem: 'not checked',
    remedy: 'read the log of the bot, and try again in a minute',
    forAdministrators: { headline: say`The quiz service wasn’t checked`, advice: '' },
  },
};

const unreachable = 'the service cannot be reached: check QUIZ_API_URL, and that this machine can connect to it';

const remedies: Readonly<Record<string, string>> = {
  ForbiddenError:
    'the service refuses QUIZ_API_KEY: copy the key again from the API tab of the quiz account’s settings',
  SslRequiredError: 'the service accepts only https: correct QUIZ_API_URL',
  FirewallError: 'a firewall answers with a web page: ask for access for the address of this machine',
  WrongAddressError: 'QUIZ_API_URL redirects: set it to the base address of the service',
  NotFoundError: 'nothing of the service is at QUIZ_API_URL: set it to the base address, without /api',
  NotJsonError:
    'a web page answers at QUIZ_API_URL: check the address, or wait for the end of the service’s maintenance',
  RateLimitedError:
    'the service takes no more requests with this key for now: give other programs their own key, and try again in an hour',
  ConnectionError: unreachable,
  TimeoutError: unreachable,
  ...networkRemedies,
  ServiceError: 'the service answers with an error: try again later',
};

const forAdministrators = {
  headline: say`The quiz service isn’t answering`,
  advice: say`The bot continues when it answers again.`,
};

/** What it means that the last call failed. @param failure the name of its error */
export function serviceFinding(failure: string): Finding {
  const isRefused = failure === 'ForbiddenError';
  return {
    code: isRefused ? keyRefused : 'quiz_service_failed',
    effect: 'degrades',
    problem: isRefused
      ? 'refuses the API key; people see an error message'
      : 'did not answer the last request; people see an error message',
    forOperator: remedyOf(failure),
    forAdministrators: isRefused
      ? {
          headline: say`The quiz service refuses the bot’s API key`,
          advice: say`Ask the person who runs the bot to replace it.`,
        }
      : forAdministrators,
  };
}

/** The code of a service that refuses the key. */
export const keyRefused = 'quiz_key_refused';

/** What an operator does about a failure, by the name of its error. */
export function remedyOf(failure: string): string {
  return remedies[failure] ?? `the service gives an answer that the bot cannot read (${failure}): check QUIZ_API_URL`;
}

/** Before the first call. */
export const notAskedYet: Finding = {
  code: 'quiz_service_not_asked',
  effect: 'unknown',
  problem: 'not asked yet',
  forOperator: 'the quiz service was not asked yet',
  forAdministrators: { headline: say`The quiz service wasn’t asked yet`, advice: '' },
};
