; A daemon that runs would hold node.exe, and the installer could not replace it. It is asked to stop; what it answered is on disk.
!macro customInit
  IfFileExists "$INSTDIR\resources\node\node.exe" 0 +2
    nsExec::Exec '"$INSTDIR\resources\node\node.exe" "$INSTDIR\resources\daemon\daemon\bin\reverie.cjs" stop'
!macroend

!macro customUnInit
  IfFileExists "$INSTDIR\resources\node\node.exe" 0 +2
    nsExec::Exec '"$INSTDIR\resources\node\node.exe" "$INSTDIR\resources\daemon\daemon\bin\reverie.cjs" stop'
!macroend
