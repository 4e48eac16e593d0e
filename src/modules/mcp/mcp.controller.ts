import { Controller, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  ApiError,
  byHandler,
  type Caller,
  Config,
  CurrentCaller,
  isOwnOrigin,
  LimitsAccounts,
  RequireApiKey,
  ToolsService,
} from '../../kit.js';

/** In the form of the protocol's library, which is not loaded for it. */
const FOREIGN_ORIGIN = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32000, message: 'Requests from this origin are not allowed. To allow them, add it to CORS_ORIGINS.' },
};

/**
 * The Model Context Protocol over streamable HTTP, without sessions: any instance answers any request. Each tool needs
 * the scope of the list that it reads.
 */
@ApiExcludeController()
@Controller('mcp')
export class McpController {
  constructor(
    private readonly tools: ToolsService,
    private readonly config: Config,
  ) {}

  @Post()
  @LimitsAccounts(byHandler)
  @RequireApiKey()
  async handle(@CurrentCaller() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.#isKnownOrigin(request)) return void response.status(403).json(FOREIGN_ORIGIN);
    const message: unknown = request.body;
    // The rate limit counts HTTP requests, so each may carry one message. The protocol no longer has batches.
    if (message === undefined || Array.isArray(message)) {
      throw new ApiError('bad_request', 'Send one JSON-RPC message in each request, as application/json.');
    }
    // The protocol's library is loaded on first use.
    const { answerMcp } = await import('./answer-mcp.js');
    await answerMcp(request, response, this.tools.list(caller));
  }

  /** The transport asks for it. Programs that are no browsers name no origin. */
  #isKnownOrigin(request: Request): boolean {
    const origin = request.get('origin');
    return origin === undefined || isOwnOrigin(origin, request) || this.config.corsOrigins.includes(origin);
  }
}
