import { expect, test } from 'vitest';
import { proxyOf } from '../../src/http/outbound.ts';

const [https, http] = ['http://secure.proxy:1', 'http://plain.proxy:2'];

test.each([
  ['https://slack.com/api/', [], https],
  ['wss://wss-primary.slack.com/link', [], https],
  ['http://traces.example:4318', [], http],
  ['http://localhost:3000', [], undefined],
  ['https://127.0.0.2', [], undefined],
  ['http://[::1]:3000', [], undefined],
  ['https://slack.com', ['slack.com'], undefined],
  ['https://hooks.Slack.com', ['SLACK.com'], undefined],
  ['https://hooks.slack.com', ['.slack.com'], undefined],
  ['https://hooks.slack.com', ['*.slack.com'], undefined],
  ['https://notslack.com', ['slack.com'], https],
  ['https://slack.com.evil.example', ['slack.com'], https],
  ['https://quiz.example', ['quiz.example:443'], undefined],
  ['https://quiz.example', ['quiz.example:8443'], https],
  ['https://quiz.example:8443', ['quiz.example:8443'], undefined],
  ['https://[fd00::1]', ['[fd00::1]'], undefined],
  ['https://quiz.example', ['*'], undefined],
  ['https://quiz.example', ['other.example', 'quiz.example'], undefined],
])('%s leads, except to %j, through %s', (address, except, proxy) => {
  expect(proxyOf(address, { https, http, except })).toBe(proxy);
});
