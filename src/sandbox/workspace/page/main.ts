document.body.textContent = 'Sandbox workspace';
