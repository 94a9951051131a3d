import { AUDIO, embedded, IMAGE } from './content.js';
import { answered, text, type FixtureTool } from './fixture.js';

/** Each answers with another kind of content. */
export const contentTools: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: {
    description: 'Answers with a text.',
    run: () => answered('This is a simple text response for testing.'),
  },
  test_image_content: { description: 'Answers with an image.', run: () => ({ content: [IMAGE] }) },
  test_audio_content: { description: 'Answers with a sound.', run: () => ({ content: [AUDIO] }) },
  test_embedded_resource: {
    description: 'Answers with a resource.',
    run: () => ({ content: [embedded('test://embedded-resource', 'This is an embedded resource content.')] }),
  },
  test_multiple_content_types: {
    description: 'Answers with a text, an image and a resource.',
    run: () => ({
      content: [
        text('Multiple content types test:'),
        IMAGE,
        embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
      ],
    }),
  },
};
