import type { Subscription } from '../../storage/subscription.ts';
import type { Message } from './message.ts';
import { sentenceMessage } from './sentence.ts';
export function subscribedMessage(_: Subscription): Message { return sentenceMessage('🔔', 'This channel is subscribed.'); }
export function pausedMessage(_: Subscription, code: string, waiting: number): Message { return sentenceMessage('⏸️', `Paused: ${code}, ${waiting} wait. Invite me.`); }
