import { linkActionId } from '../views/blocks/buttons.ts';
import { cancelActionId } from '../views/blocks/questions.ts';
import { moreActionId } from '../form/form.ts';
import { inputActionId } from '../form/inputs.ts';
import { textMessage } from '../views/blocks/message.ts';
import { commandsActionId, lineActionId } from '../views/help.ts';
import { passwordsPrintedActionId, printPasswordsActionId, showPasswordActionId } from '../views/users/password.ts';
import { answerCommand, typeLine } from './commands.ts';
import type { Take } from './deliver.ts';
import type { Delivery } from './delivery.ts';
import { events } from './events.ts';
import { formNames, redrawForm, submitForm } from './forms.ts';
import { answerMessage } from './messages.ts';
import {
  cancel,
  findAuthor,
  importMessage,
  openCommands,
  openShortcut,
  press,
  pressedIds,
  printPasswords,
  showPassword,
  suggest,
} from './presses.ts';
import { createReply, type Parts, type Reply } from './reply.ts';

type Ack = (answer?: object) => Promise<void>;
type Handle = (parts: Parts, delivery: Delivery, reply: Reply, ack: Ack) => Promise<void>;
type Entry = readonly [names: RegExp, handle: Handle];

const named = (...names: readonly string[]) => new RegExp(`^(?:${names.join('|')})$`);

/** What takes the deliveries of people, by kind and name. These are acknowledged at once. */
const acknowledged: Readonly<Partial<Record<Delivery['kind'], readonly Entry[]>>> = {
  command: [[/^\//, answerCommand]],
  action: [
    [pressedIds, press],
    [new RegExp(`^${lineActionId}:`), typeLine],
    [new RegExp(`^${linkActionId}:`), async () => {}],
    [named(cancelActionId), cancel],
    [named(inputActionId, moreActionId), redrawForm],
    [named(commandsActionId), openCommands],
    [named(showPasswordActionId), showPassword],
    [named(printPasswordsActionId), printPasswords],
    [named(passwordsPrintedActionId), printPasswords],
  ],
  shortcut: [
    [named('find-in-quiz'), findAuthor],
    [named('import-message'), importMessage],
    [formNames, openShortcut],
  ],
};

/** These acknowledge with what people see. */
const answering: typeof acknowledged = {
  options: [[named(inputActionId), suggest]],
  view: [[formNames, submitForm]],
};

/** Hands each delivery to what takes it. Whoever acted gets an answer, whatever goes wrong. */
export function createTake(parts: Parts): Take {
  const find = (table: typeof acknowledged, { kind, name }: Delivery) =>
    table[kind]?.find(([names]) => names.test(name))?.[1];

  return async (delivery, teamId, ack) => {
    const { kind, name, event, message } = delivery;
    if (kind === 'event' && message.ts === undefined)
      return name === 'function_executed' ? parts.takeFunction(event, ack) : events[name]?.(parts, event);
    const quick = kind === 'event' ? answerMessage : find(acknowledged, delivery);
    const handle = quick ?? find(answering, delivery);
    if (handle === undefined) return;
    const reply = createReply(parts, delivery, teamId);
    try {
      if (quick && kind !== 'event') await ack();
      await handle(parts, delivery, reply, ack);
    } catch (error) {
      await reply.show(textMessage('⚠️', parts.logAndExplain(error)));
    }
  };
}
