import type { Operation } from '../../../operations/operation.ts';
import { listAlerts } from './list-alerts.ts';
import { testAlerts } from './pause-and-resume.ts';
import { setLanguage } from './set-language.ts';
import { pauseAlerts, resumeAlerts } from './pause-and-resume.ts';
import { subscribeChannel, unsubscribeChannel } from './subscribe-and-unsubscribe.ts';

/** What people can do about alerts, in the order of the help. */
export const alertOperations: readonly Operation[] = [
  subscribeChannel,
  listAlerts,
  unsubscribeChannel,
  pauseAlerts,
  resumeAlerts,
  setLanguage,
  testAlerts,
];
