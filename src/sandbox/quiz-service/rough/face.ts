import type { Account } from '../account.ts';
import { type Answer, type ApiCall, type Face, smoothFace } from '../face.ts';
import { HttpError, jsonText } from '../http.ts';
import { jsonReply, type Reply } from '../../http.ts';
import { findUser } from '../store/users.ts';
import { addDeliveries, listWebhooks, signatureHeaders } from '../webhooks/webhooks.ts';
import {
  beforeSubmission,
  errorForms,
  interceptions,
  listForms,
  nobodyForms,
  numericFoundId,
  recordForms,
  refusals,
  submittedLater,
  writeForms,
} from './calls.ts';
import { isFields, type Resource } from './changes.ts';
import type { RoughAccount } from './rough-account.ts';
import { bodyForms, otherEvents, signatureForms, timestampForms } from './webhooks.ts';

/** The resource that an operation answers with. */
const resources: Record<string, Resource> = {
  '/quizzes': 'quiz',
  '/quizzes/:quiz_id': 'quiz',
  '/quizzes/:quiz_id/groups': 'group',
  '/quizzes/:quiz_id/responses': 'response',
  '/quizzes/:quiz_id/responses/:response_id': 'response',
  '/quizzes/:quiz_id/responses/:response_id/questions': 'question',
  '/users': 'user',
  '/users/:user_id': 'user',
  '/users/:user_id/quizzes': 'assigned_quiz',
  '/groups': 'group',
};

const findRoute = '/api/v1/users/find';

/** The face of a real account: sends the oddities of the catalog. */
export function createRoughFace(rough: RoughAccount, account: Account): Face {
  const { records, dealer, has } = rough;
  const forms = {
    list: listForms.filter(has),
    record: recordForms.filter(has),
    write: writeForms.filter(has),
    error: errorForms.filter(has),
    refusal: refusals.filter(has),
    nobody: nobodyForms.filter(has),
    timestamp: timestampForms.filter(has),
    body: bodyForms.filter(has),
    signature: signatureForms.filter(has),
  };
  const activeInterceptions = interceptions.filter(has);
  const activeEvents = otherEvents.filter(has);

  function listReply(call: ApiCall, pages: Iterable<readonly unknown[]>): Reply {
    const fixed = forms.list.find(({ route }) => route === call.route);
    const form = fixed ?? dealer.select(forms.list, call.path);
    const sent = outgoingPages(pages, call);
    return form ? form.reply(sent, call) : smoothFace.answer(call, { kind: 'list', pages: sent });
  }

  function* outgoingPages(pages: Iterable<readonly unknown[]>, call: ApiCall): Generator<unknown[]> {
    for (const page of pages) yield page.map((record) => outgoing(record, call));
  }

  function outgoing(record: unknown, call: ApiCall): unknown {
    const resource = resourceOf(call);
    if (resource === undefined) return record;
    const isSubmittedLater =
      resource === 'response' &&
      isFields(record) &&
      has(submittedLater) &&
      dealer.deal([submittedLater], String(record['response_id']));
    const shown = isSubmittedLater ? beforeSubmission(record, account.now()) : record;
    return records.outgoing(resource, shown, call.parameters?.['user_id']);
  }

  function recordReply(call: ApiCall, value: unknown): Reply {
    const json = jsonText(outgoing(value, call) ?? null);
    return dealer.select(forms.record, call.path)?.reply(json) ?? jsonReply(200, json);
  }

  function errorReply(call: ApiCall, error: HttpError): Reply {
    const refusal = forms.refusal.find(({ replaces }) => replaces.test(error.message));
    const form = refusal ?? dealer.select(forms.error, keyOf(call));
    if (!form) return smoothFace.refuse(call, error);
    const reply = form.reply(error);
    return { ...reply, headers: { ...reply.headers, ...error.headers } };
  }

  return {
    intercept(request, pathname) {
      for (const { reply } of activeInterceptions) {
        const found = reply(request, pathname);
        if (found) return found;
      }
      return undefined;
    },

    answer(call, answer) {
      if (answer.kind === 'file') return smoothFace.answer(call, answer);
      if (answer.kind === 'list') return listReply(call, answer.pages);
      if (call.route === findRoute)
        return jsonReply(200, JSON.stringify(has(numericFoundId) ? withNumericId(answer.value) : answer.value));
      if (call.method !== 'GET') {
        const form = dealer.select(forms.write, keyOf(call));
        return form ? form.reply(JSON.stringify(answer.value)) : smoothFace.answer(call, answer);
      }
      return Array.isArray(answer.value) ? listReply(call, [answer.value]) : recordReply(call, answer.value);
    },

    refuse(call, error) {
      const isNobody = call.route === findRoute && error.status === 404;
      const form = isNobody ? dealer.select(forms.nobody, keyOf(call)) : undefined;
      if (!form) return errorReply(call, error);
      if (form.status === undefined) return jsonReply(200, '{"user_id":null}');
      return errorReply(call, new HttpError(form.status, error.message));
    },

    afterCall(call, answer) {
      const found = activeEvents.find(({ after }) => after.method === call.method && after.route === call.route);
      if (!found) return;
      const id = call.parameters?.[found.after.idField] ?? idIn(answer, found.after.idField);
      const user = records.outgoing('user', findUser(account.database, id));
      const event = { event_id: account.newId(), event_type: found.eventType, occurredMs: account.now() };
      const data = user ?? { [found.after.idField]: id, ...call.parameters };
      addDeliveries(account.database, { ...event, data }, listWebhooks(account.database));
      account.deliverEvents();
    },

    webhookCall(webhook, delivery, nowMs) {
      const { scheme, secret, url } = webhook;
      const { event_id, event_type, event_date, attempt } = delivery;
      const data: unknown = JSON.parse(delivery.event_data);
      const event = {
        event_id,
        event_type,
        delivery_attempt: attempt,
        event_date: rough.dateText(event_date),
        data: event_type === 'response.submitted' ? records.outgoing('response', data) : data,
      };
      const body = dealer.select(forms.body, `body ${event_id}`)?.write(event) ?? jsonText(event);
      const timestamp =
        dealer.select(forms.timestamp, `timestamp ${event_id}`)?.write(nowMs) ?? Math.floor(nowMs / 1000);
      const headers = signatureHeaders({ scheme, secret, eventId: event_id, body, timestamp });
      const ofScheme = forms.signature.filter((form) => form.scheme === scheme);
      const form =
        secret === null
          ? undefined
          : ofScheme.length === 1
            ? ofScheme[0]
            : dealer.select(ofScheme, `signature ${event_id}`);
      return { url, body, headers: form && secret !== null ? form.headers(headers, secret) : headers };
    },
  };
}

function resourceOf({ route = '' }: ApiCall): Resource | undefined {
  return resources[route.replace('/api/v1', '')];
}

/** What decides the form of an answer: the call with its parameters, so that a repeated call gets the same form. */
function keyOf({ method, path, form = '' }: ApiCall): string {
  return `${method} ${path} ${form}`;
}

function idIn(answer: Answer, idField: string): string {
  return answer.kind === 'json' && isFields(answer.value) ? String(answer.value[idField]) : '';
}

function withNumericId(value: unknown): unknown {
  const userId = isFields(value) ? String(value['user_id']) : '';
  return /^\d+$/.test(userId) ? { user_id: Number(userId) } : value;
}
