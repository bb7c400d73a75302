import { styleText } from 'node:util';
import { poisonMessage, repeatedClick } from './real-messages.ts';
import type { StackOutputs } from './stack/outputs.ts';

const code = 'docs';

/** Formats commands that try out a running stack, to paste into a shell. */
export function formatInstructions(outputs: StackOutputs): string {
  const { api, token, sqsEndpoint, clickQueueUrl, clickDlqUrl } = outputs;
  const receive = {
    QueueUrl: clickDlqUrl,
    MaxNumberOfMessages: 10,
    // The messages stay visible to others.
    VisibilityTimeout: 0,
    MessageSystemAttributeNames: ['All'],
  };
  return [
    title('First, in the shell that runs the rest'),
    `export API=${api}`,
    `export TOKEN=${token}`,
    `sqs() { curl -s ${sqsEndpoint} -H "x-amz-target: AmazonSQS.$1" -H 'content-type: application/x-amz-json-1.0' -d "$2"; echo; }`,
    title('Create a link'),
    `curl -s $API/links -H "authorization: Bearer $TOKEN" -d '{"url":"https://example.com/","code":"${code}"}'; echo`,
    title('Open it, as often as you like'),
    `curl -si $API/${code}`,
    title('Read its statistics'),
    `curl -s $API/links/${code}/stats -H "authorization: Bearer $TOKEN"; echo`,
    title('Send one click twice: it counts once'),
    sendMessage(clickQueueUrl, repeatedClick(code)),
    sendMessage(clickQueueUrl, repeatedClick(code)),
    title('Send an invalid click (no code): it becomes a dead letter after three attempts, 90 s'),
    sendMessage(clickQueueUrl, poisonMessage()),
    title('Read the dead-letter queue'),
    `sqs ReceiveMessage ${quote(receive)}`,
  ].join('\n');
}

function sendMessage(QueueUrl: string, MessageBody: string): string {
  return `sqs SendMessage ${quote({ QueueUrl, MessageBody })}`;
}

function quote(value: object): string {
  return `'${JSON.stringify(value)}'`;
}

function title(text: string): string {
  return `\n${styleText('bold', `# ${text}`)}`;
}
