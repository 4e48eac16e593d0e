import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';

/** What the server is asked, by method. The SDK answers wrong parameters of these with an internal error. */
const REQUESTS: ReadonlyMap<unknown, z.ZodType> = new Map<unknown, z.ZodType>([
  ['initialize', InitializeRequestSchema],
  ['ping', PingRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['tools/list', ListToolsRequestSchema],
]);

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** An answer of JSON-RPC. `id` is `null` where the message has none that can be repeated. */
interface Refusal {
  /** Of the HTTP answer: a request that can be read is answered with 200, whatever comes of it. */
  status: 200 | 400;
  body: { jsonrpc: '2.0'; id: string | number | null; error: { code: ErrorCode; message: string } };
}

/**
 * What is wrong with a message by JSON-RPC 2.0 and MCP; `null`: nothing, or it is a notification, which nobody answers.
 *
 * @param tools the names of those that the caller may use
 */
export function refuseMessage(message: Record<string, unknown>, tools: readonly string[]): Refusal | null {
  const invalid = whyInvalid(message);
  const id = isId(message['id']) ? message['id'] : null;
  if (invalid !== null) return refusal(400, id, ErrorCode.InvalidRequest, `Invalid Request: ${invalid}`);
  if (id === null || !('method' in message)) return null;
  const wrong = wrongParameters(message, tools);
  return wrong === null ? null : refusal(200, id, ErrorCode.InvalidParams, `Invalid params: ${wrong}`);
}

function whyInvalid(message: Record<string, unknown>): string | null {
  const unknown = Object.keys(message).find((name) => !MEMBERS.has(name));
  if (message['jsonrpc'] !== '2.0') return 'jsonrpc must be "2.0"';
  if (unknown !== undefined) return `${JSON.stringify(unknown)} is no member of a message`;
  if ('id' in message && !isId(message['id'])) return 'id must be a string or an integer';
  if ('method' in message && typeof message['method'] !== 'string') return 'method must be a string';
  const isMessage = 'method' in message || JSONRPCMessageSchema.safeParse(message).success;
  return isMessage ? null : 'method is missing';
}

function wrongParameters(message: Record<string, unknown>, tools: readonly string[]): string | null {
  const { method, params } = message;
  if (params !== undefined && !isObject(params)) return 'params must be an object';
  const issue = REQUESTS.get(method)?.safeParse(message).error?.issues[0];
  if (issue) return `${issue.path.join('.')}: ${issue.message}`;
  const name = method === 'tools/call' ? (params as { name: string }).name : null;
  return name === null || tools.includes(name) ? null : `Tool ${name} not found`;
}

function refusal(status: Refusal['status'], id: string | number | null, code: ErrorCode, message: string): Refusal {
  return { status, body: { jsonrpc: '2.0', id, error: { code, message } } };
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
