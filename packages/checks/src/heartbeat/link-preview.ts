/** Programs that open an address because somebody has written it into a message, by what they call themselves. */
const previewers = [
  'Slackbot',
  'Slack-ImgProxy',
  'Twitterbot',
  'facebookexternalhit',
  'Facebot',
  'WhatsApp',
  'TelegramBot',
  'Discordbot',
  'LinkedInBot',
  'SkypeUriPreview',
  'MicrosoftPreview',
  'BingPreview',
  'Mattermost-Bot',
  'Rocket.Chat',
  'Google-PageRenderer',
  'Google-InspectionTool',
  'Iframely',
  'Embedly',
  'redditbot',
  'Pinterestbot',
  'vkShare',
  'Viber',
  'ZulipURLPreview',
  'LinkPreview',
  'Link Preview',
  'URLPreview',
].map((name) => name.toLowerCase())

/** Whether the user agent is one of a link preview: the address was shown to people, and no job has sent a ping. */
export function isLinkPreview(userAgent: string | null): boolean {
  const text = (userAgent ?? '').toLowerCase()
  return previewers.some((name) => text.includes(name))
}
