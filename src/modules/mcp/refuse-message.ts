import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';

/** Schemas of the requests, by method, because the SDK answers invalid parameters with an internal error. */
const REQUESTS: ReadonlyMap<unknown, z.ZodType> = new Map<unknown, z.ZodType>([
  ['initialize', InitializeRequestSchema],
  ['ping', PingRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['tools/list', ListToolsRequestSchema],
]);

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** A JSON-RPC error. `id` is `null` if the message has no valid one. */
interface Refusal {
  /** HTTP status: 200 for every well-formed request, also for a failed one. */
  status: 200 | 400;
  body: { jsonrpc: '2.0'; id: string | number | null; error: { code: ErrorCode; message: string } };
}

/**
 * Validates a message by JSON-RPC 2.0 and MCP.
 *
 * @param tools names of the tools that the caller may use
 * @returns `null`: it is valid, or a notification, which gets no answer
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
