import { Module } from '@nestjs/common';
import { KitModule } from '../../kit.js';
import { McpController } from './mcp.controller.js';

@Module({
  imports: [KitModule],
  controllers: [McpController],
})
export class McpModule {}
